@node "%~dp0code.mjs" %*
