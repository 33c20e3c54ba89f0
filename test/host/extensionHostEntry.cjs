// Runs inside the extension host in front of the tests: writes what they print to the runner's file, and their result beside it.
const { appendFileSync, writeFileSync } = require('node:fs');
const { Console } = require('node:console');
const { Writable } = require('node:stream');
const { takeCoverage } = require('node:v8');

const output = process.env.CONTEXT_LIFECYCLE_TEST_OUTPUT;
const testModule = process.env.CONTEXT_LIFECYCLE_TEST_MODULE;

exports.run = async () => {
  captureOutput();
  let error;
  try {
    await require(testModule).run();
  } catch (thrown) {
    error = String(thrown?.stack ?? thrown);
    appendFileSync(output, `${error}\n`);
  }
  // VS Code ends this process before it would write its coverage by itself
  if (process.env.NODE_V8_COVERAGE) takeCoverage();
  writeFileSync(`${output}.json`, JSON.stringify({ passed: error === undefined }));
  // without a stack: the failures are printed already
  if (error !== undefined) throw Object.assign(new Error(), { stack: 'The tests failed.' });
};

/** The methods of this process's console cannot be replaced (VS Code forwards them to the window), the console itself can. */
function captureOutput() {
  const file = () =>
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        appendFileSync(output, chunk);
        done();
      },
    });
  globalThis.console = new Console({ stdout: file(), stderr: file() });
  const write = (chunk, encoding, done) => {
    appendFileSync(output, chunk);
    (typeof encoding === 'function' ? encoding : done)?.();
    return true;
  };
  process.stdout.write = write;
  process.stderr.write = write;
}
