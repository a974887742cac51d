/**
 * Takes the place of the desktop executable for `@vscode/test-electron`'s `runTests`: understands
 * `--extensionDevelopmentPath=… --extensionTestsPath=… [--user-data-dir=…] [--extensions-dir=…] [FOLDER]`, runs the suite in
 * the extension host of the npm-delivered editor, mirrors its log and ends with its exit code.
 */
import { format, parseArgs } from 'node:util';
import { stopChildrenOnExit } from '../../../scripts/processes.mjs';
import { launchBrowser } from './browser.ts';
import { startTestServer, temporaryFolder } from './server.ts';

/** A suite that hangs must not hang its caller. */
const limitMilliseconds = 12 * 60_000;

/** The workbench's own chatter comes through the same channel as the suite's output. */
const noise =
  /^(\[AgentHost\]|%c|\s*(INFO|TRACE|DEBUG|WARN)\b|Ignoring the error|Error: Could not locate the bindings file)/;

function readArguments() {
  const { values, positionals } = parseArgs({
    strict: false,
    allowPositionals: true,
    options: {
      extensionDevelopmentPath: { type: 'string' },
      extensionTestsPath: { type: 'string' },
      'user-data-dir': { type: 'string' },
      'extensions-dir': { type: 'string' },
    },
  });
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return {
    extensionDevelopmentPath: text(values.extensionDevelopmentPath),
    extensionTestsPath: text(values.extensionTestsPath),
    userDataDir: text(values['user-data-dir']),
    extensionsDir: text(values['extensions-dir']),
    folder: positionals[0],
  };
}

async function main(): Promise<number> {
  const { extensionDevelopmentPath, extensionTestsPath, userDataDir, extensionsDir, folder } = readArguments();
  if (extensionDevelopmentPath === undefined || extensionTestsPath === undefined) {
    console.error('Give --extensionDevelopmentPath=… and --extensionTestsPath=…');
    return 2;
  }
  const server = await startTestServer({
    ...(userDataDir === undefined ? {} : { userDataDir }),
    ...(extensionsDir === undefined ? {} : { extensionsDir }),
  });
  const browser = await launchBrowser();
  try {
    const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
    await context.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) => {
      const line = format(...args);
      if (noise.test(line)) return;
      (type === 'error' || type === 'warn' ? process.stderr : process.stdout).write(`${line}\n`);
    });
    const ended = new Promise<number>((resolve, reject) => {
      context.exposeFunction('codeAutomationExit', resolve).catch(reject);
    });
    const page = await context.newPage();
    const broken = new Promise<never>((_, reject) => {
      page.on('crash', () => reject(new Error('The editor page crashed.')));
      void server.ended.then(() =>
        reject(new Error(`The editor's server has ended:\n${server.output().slice(-2_000)}`)),
      );
      setTimeout(
        () => reject(new Error(`The suite did not end within ${limitMilliseconds / 60_000} minutes.`)),
        limitMilliseconds,
      ).unref();
    });
    const workspace = folder ?? (await temporaryFolder('workspace'));
    await page.goto(server.url(workspace, { extensionDevelopmentPath, extensionTestsPath }));
    return await Promise.race([ended, broken]);
  } finally {
    await browser.close();
    await server.stop();
  }
}

stopChildrenOnExit();
process.exit(
  await main().catch((error) => {
    console.error(error);
    return 1;
  }),
);
