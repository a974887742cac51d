/** Runs the scripted model by hand: `node test/support/scriptedModel/serve.ts [--port N] [--key KEY]`. */
import { parseArgs } from 'node:util';
import { demoScript, startScriptedModel } from '../scriptedModel.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8787' }, key: { type: 'string' } } });

const model = await startScriptedModel({
  script: demoScript,
  port: Number(values.port),
  ...(values.key !== undefined && { apiKey: values.key }),
});
console.log(`scripted model: ${model.url}`);

const stop = () => void model.close().then(() => process.exit(0));
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
