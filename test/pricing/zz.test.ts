import {test} from 'vitest'
import {kelly} from '../../src/pricing/kelly.ts'
import {price} from '../../src/pricing/bsm.ts'
test('x',()=>{
 const b={right:'call' as const,spot:580,strike:580,t:30/365,sigma:.18,premium:12.69,mu:.12,rate:.045,dividendYield:.013}
 console.log(kelly(b))
 const t0=performance.now(); for(let i=0;i<200;i++)kelly({...b,mu:.12+i*1e-6}); console.log((performance.now()-t0)/200)
 let s=0
 for(let r=0;r<4;r++){const t1=performance.now(); for(let i=0;i<1e6;i++) s+=price({right:'call',spot:80+i*4e-5,strike:100,t:.3,sigma:.2+(i&7)*.01,rate:.04,dividendYield:.01}); console.log('price ns',performance.now()-t1)}
})
