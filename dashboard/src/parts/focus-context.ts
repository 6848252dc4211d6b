import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { PAGE_FOCUS } from '../state/screens/focus.ts'

/** Subject of the panels inside: the page, unless a panel has a symbol or a moment of its own. */
export const FocusContext = createContext(PAGE_FOCUS)

export const useFocus = () => useContext(FocusContext)
