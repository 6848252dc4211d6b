import { level } from '../../parts/format.ts'
import { shortDate } from '../../state/day/time.ts'

interface ContractProps {
  readonly strike: number
  readonly right: 'C' | 'P'
  readonly expiry: string
}

/** A contract in desk notation: 690 put 20 Nov. */
export function Contract({ strike, right, expiry }: ContractProps) {
  return (
    <>
      <b class={right === 'C' ? 'call' : 'put'}>
        {level(strike)} {right === 'C' ? 'call' : 'put'}
      </b>{' '}
      <span>{shortDate(expiry)}</span>
    </>
  )
}
