/** What an operator must know before serving this data to others. */
export const terms = 'Made-up data: no price in it was ever quoted by anyone. Serve it freely and trade on none of it.'
