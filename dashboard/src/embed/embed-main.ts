import { arrive } from './arrival.ts'

// What the address says has to be taken out of it before anything reads it.
const arrival = arrive()
void import('./embed-page.tsx').then(({ show }) => show(arrival))
