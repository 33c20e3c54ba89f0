import { createApi } from './server.ts';
import { TodoStore } from './store.ts';

const port = Number(process.env.PORT ?? 3000);
createApi(new TodoStore()).listen(port, () => console.log(`to-do service on http://localhost:${port}/todos`));
