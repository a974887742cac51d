/** What the demo says about itself. It never passes for a language model. */

export const demoNote =
  '> **Offline demo: no language model wrote this.** Real subagents listed, searched and read the files; the demo put together and quoted what they found, without reasoning. For real answers, run the command **Offshoot: Set API Key**, or set `offshoot.baseUrl` to a server of your own.';

export const helpText = `This is the **offline demo** of Offshoot. There is no language model behind it and nothing leaves your machine, but the rest is real: subagents with their own histories work in parallel, with real tools, on your files.

What you can try:

- **Explore the codebase**: type “Explore this codebase”, or run the command *Explore Codebase* (quick, medium or very thorough). You get a map of the project with places that open.
- **Ask where something is**: “Where is the router defined?” or “How does \`render\` work?” The agents look for the words and show the places that match best.

It cannot reason, write code or change files. For that, run the command **Offshoot: Set API Key**, or set \`offshoot.baseUrl\` to a server of your own that speaks the Messages API.`;

export const readOnlyText = `The **offline demo** only reads: it has no language model, so it cannot write code, change files or run commands, and it has changed nothing.

To have this done, run the command **Offshoot: Set API Key** (or set \`offshoot.baseUrl\` to a server of your own) and send the same message again.

What the demo can do now: show you the places. Ask “Where is …?” with a name from your code, or type “Explore this codebase”.`;

export const emptyFolderText = `This folder has no files that could be explored (ignored files do not count). Open a folder with code and ask again.

${demoNote}`;
