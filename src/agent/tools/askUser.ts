import * as z from 'zod';
import { defineTool } from './tool.ts';

export const askUserTool = defineTool({
  name: 'AskUser',
  description: 'Asks the user a question that only they can answer, and waits.',
  input: z.strictObject({
    question: z.string().min(1),
    options: z.array(z.string()).max(10).optional().describe('Answers to choose from'),
  }),
  effect: 'read',
  isConcurrent: false,
  summarize: ({ question }) => `Ask: ${question}`,
  async run({ question, options }, context) {
    const answer = await context.askUser(question, options ?? []);
    if (answer !== undefined) return { content: answer, summary: 'answered' };
    return {
      content: 'Nobody can answer now. Decide yourself, and say in your answer what you assumed.',
      summary: 'no answer',
      isError: true,
    };
  },
});
