import {chromium} from 'playwright-core'
import fs from 'fs'
const origin=JSON.parse(fs.readFileSync('/tmp/br/product.json')).origin
for (const v of process.argv.slice(2)) { try {
const b=await chromium.launch({executablePath:`/tmp/br/${v}/chromium`,args:['--headless','--no-sandbox','--disable-gpu'],timeout:30000});
const c=await b.newContext({viewport:{width:390,height:844},isMobile:true,hasTouch:true,reducedMotion:'reduce'});const pg=await c.newPage();
pg.on('console',m=>console.log(v,'console',m.text()));pg.on('pageerror',e=>console.log(v,'pageerror',e.name,e.message,JSON.stringify(e)));
await pg.addInitScript(()=>{window.errs=[];addEventListener('error',e=>errs.push('E '+e.message+' '+e.filename+':'+e.lineno+':'+e.colno));addEventListener('unhandledrejection',e=>errs.push('R '+(e.reason&&e.reason.stack)))});await pg.goto(origin+'/#/index?code=CANDELA1');await new Promise(r=>setTimeout(r,15000));
console.log(v,b.version(),(await pg.evaluate(()=>document.body.innerText)).slice(0,150).replace(/\n/g,'|'));
console.log(await pg.evaluate(()=>JSON.stringify(errs)));await pg.screenshot({path:`/tmp/br/shot-${v}.png`});await b.close()}catch(e){console.log(v,String(e).slice(0,600))}}
process.exit()
