import { arrive } from './arrival.ts'

// The parameters must leave the address before any module of the state reads it.
const arrival = arrive()
void import('./embed-page.tsx').then(({ show }) => show(arrival))
