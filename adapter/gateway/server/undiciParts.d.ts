// The parts of undici that are bundled: its main file would bring `fetch`, caches and mocks along, which is twice as much.
declare module 'undici/lib/api/api-connect.js' {
  import type { Dispatcher } from 'undici';

  const connect: Dispatcher['connect'];
  export default connect;
}
declare module 'undici/lib/dispatcher/agent.js' {
  export { Agent as default } from 'undici';
}
declare module 'undici/lib/dispatcher/dispatcher.js' {
  export { Dispatcher as default } from 'undici';
}
declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  export { EnvHttpProxyAgent as default } from 'undici';
}
