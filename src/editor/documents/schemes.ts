/** The schemes of the two sides of a proposal's diff. */
export const beforeScheme = 'offshoot-before';
export const proposalScheme = 'offshoot-proposal';
