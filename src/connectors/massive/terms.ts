/** What an operator must know before serving this data to others. */
export const terms =
  'Data of Massive by subscription. Personal plans are for the subscriber alone and forbid showing the data, or figures ' +
  'made from it, to others; business plans license that, with the fees of the exchanges apart.'
