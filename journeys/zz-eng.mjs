import { startWebKit } from '@candela/testing/engines/webkit'
import { startFirefox } from '@candela/testing/engines/firefox'
import { startOldChromium } from '@candela/testing/engines/old-chromium'
import fs from 'fs'
for (const [n,start] of [['c',()=>startOldChromium(87)],['f',startFirefox],['w',startWebKit]]) { if(process.argv[2]&&!process.argv[2].includes(n))continue; try { const e=await start(); console.log(e.name,e.version);
await e.goTo('http://127.0.0.1:8123/x.html'); await e.tap(15,60); console.log(await e.run((a)=>document.querySelector('button').textContent+innerWidth+'x'+innerHeight+a+isSecureContext,{x:1})); await e.tap(20,105); await e.type('12.5a'); console.log(await e.run(()=>document.querySelector('input').value)); fs.writeFileSync('/tmp/br/e-'+n+'.png',await e.picture()); await e.close() } catch(x){console.log(n,x)} }
process.exit()
