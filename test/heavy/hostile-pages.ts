// Pages that try to reach forbidden addresses, each in one way, by their number in the corpus or by a name of ours.
//
// L is the loopback, M a metadata address, P a private host, S and U their IPv6 counterparts. Each is a canary that
// must receive nothing.

const L = '127.0.0.1:9001';
const M = '169.254.169.254';
const P = '10.1.2.3:8080';
const S = '[::1]:9001';
const U = '[fd00:ec2::254]:80';
const ALL = [L, M, P, S, U];
const each = (make: (host: string) => string) => ALL.map(make).join('');
const script = (code: string) =>
  `<script>{const quiet=(f)=>{try{Promise.resolve(f()).catch(()=>{})}catch{}};${code}}</script>`;
const inWorker = (code: string) => JSON.stringify(code);

/** All ways in which a script in a window or a worker can send. */
const sends = each(
  (host) => `
  try{fetch('http://${host}/fetch',{mode:'no-cors'}).catch(()=>{})}catch{}
  try{fetch('https://${host}/fetchs',{mode:'no-cors'}).catch(()=>{})}catch{}
  try{fetch('http://${host}/preflight',{method:'PUT',headers:{'x-a':'b','content-type':'application/json'},body:'{}'}).catch(()=>{})}catch{}
  try{new WebSocket('ws://${host}/ws')}catch{}
  try{new WebSocket('wss://${host}/wss')}catch{}
  try{new EventSource('http://${host}/events')}catch{}
  try{const x=new XMLHttpRequest();x.open('POST','http://${host}/xhr');x.send('x')}catch{}`,
);

export const HOSTILE_PAGES: Readonly<Record<string, string>> = {
  P01: `<img src="http://${L}/"><img src="http://127.0.0.1/"><img src="https://127.0.0.1/">`,
  P02: `<img src="http://${M}/latest/meta-data/"><img src="https://${M}/">`,
  'P03 private': `<img src="http://${P}/"><img src="https://10.1.2.3/">`,
  P04: `<img src="http://${S}/"><img src="http://[::1]/">`,
  P05: `<img src="http://${U}/">`,
  P06: `<img src="http://[::ffff:127.0.0.1]:9001/"><img src="http://[::ffff:7f00:1]/"><img src="http://[::ffff:a9fe:a9fe]/"><img src="http://[64:ff9b::7f00:1]/">`,
  P08: `<img src="http://2130706433:9001/"><img src="http://0x7f.1:9001/"><img src="http://0:9001/"><img src="http://017700000001/"><img src="http://127.1/"><img src="http://0/"><img src="http://①②⑦.⓪.⓪.①/">`,
  'P08 names': `<img src="http://localhost:9001/"><img src="http://a.localhost:9001/"><img src="http://localhost./"><img src="http://ip6-localhost/">`,
  P09: `<img src="http://inside.example/"><img src="http://metadata.example/"><img src="http://mixed.example/"><img src="http://mapped.example/">`,
  'P10 rebinding': script(`for(let i=0;i<40;i++)quiet(()=>fetch('http://rebind.example:9001/'+i,{mode:'no-cors'}))`),
  P11: `<link rel=stylesheet href="http://${L}/css"><style>@import url(http://${M}/import);@font-face{font-family:f;src:url(http://${P}/font)}body{font-family:f;background:url(http://${S}/bg);cursor:url(http://${L}/cursor),auto;list-style-image:url(http://${L}/list);border-image:url(http://${M}/border) 1;mask-image:url(http://${P}/mask);filter:url(http://${L}/filter#a);shape-outside:url(http://${L}/shape)}</style>text`,
  P12: `<link rel=icon href="http://${L}/icon"><link rel=apple-touch-icon href="http://${M}/icon"><link rel="shortcut icon" href="http://${P}/icon"><link rel=manifest href="http://${L}/manifest">`,
  P13: `<link rel=prefetch href="http://${L}/a"><link rel=preload as=script href="http://${M}/b"><link rel=modulepreload href="http://${P}/c"><link rel=prerender href="http://${L}/d">`,
  P14: each(
    (host) => `<link rel=preconnect href="http://${host}"><link rel=preconnect href="https://${host}" crossorigin>`,
  ),
  P15: `<link rel=dns-prefetch href="//leak-1.example"><link rel=preconnect href="//leak-2.example"><a href="http://leak-3.example">x</a><meta http-equiv=x-dns-prefetch-control content=on>`,
  P16: `<script type=speculationrules>{"prerender":[{"source":"list","urls":["/go?http://${L}/prerender"]}],"prefetch":[{"source":"list","urls":["http://${L}/prefetch","http://${M}/"],"requires":["anonymous-client-ip-when-cross-origin"]},{"source":"list","urls":["http://${P}/"]}]}</script>`,
  P17: each(
    (host) =>
      `<iframe src="http://${host}/"></iframe><object data="http://${host}/"></object><embed src="http://${host}/"><iframe srcdoc="<img src='http://${host}/'>"></iframe><iframe src="data:text/html,<img src=http://${host}/>"></iframe><iframe sandbox src="http://${host}/"></iframe>`,
  ),
  'P18 frameset': `<frameset cols="*,*"><frame src="http://${L}/"><frame src="http://${M}/"></frameset>`,
  P19: `<iframe src="/go?http://${M}/"></iframe><img src="/go?http://${L}/"><img src="/go?http://${P}/"><link rel=stylesheet href="/go?http://${S}/">`,
  P20: `<iframe src="file:///etc/hostname"></iframe><img src="file:///etc/hostname"><object data="file:///etc/passwd"></object>`,
  'P21 media': `<video src="http://${L}/v" autoplay></video><audio src="http://${M}/a" autoplay></audio><video poster="http://${P}/p"><track src="http://${L}/t" default></video><picture><source srcset="http://${S}/s"><img src=x></picture>`,
  P22: `<svg width=9 height=9><image href="http://${L}/i" width=9 height=9 /><use href="http://${M}/u#a"/><filter id=f><feImage href="http://${P}/f"/></filter><rect width=9 height=9 filter="url(#f)" fill="url(http://${L}/fill#x)"/><script href="http://${L}/script"></script></svg><img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><image href='http://${L}/inner'/></svg>">`,
  P23: `<meta http-equiv=refresh content="0;url=http://${L}/refresh">`,
  P24: `<iframe name=f></iframe><form id=form method=post target=f action="http://${L}/post"><input name=a value=b></form>${script(`document.getElementById('form').submit();setTimeout(()=>{location='http://${M}/navigated'},300)`)}`,
  P25: script(
    each(
      (host) =>
        `quiet(()=>window.open('http://${host}/popup'));quiet(()=>window.open('http://${host}/noopener','','noopener'));`,
    ),
  ),
  'P26 beacons': `<a id=a ping="http://${L}/ping http://${M}/ping" href="#x">x</a>${script(`document.getElementById('a').click();${each((host) => `quiet(()=>navigator.sendBeacon('http://${host}/beacon','x'));quiet(()=>fetch('http://${host}/keep',{keepalive:true,mode:'no-cors'}));`)}`)}`,
  P27: script(sends),
  'P28 reporting': '<img src=/x>',
  P30: script(
    `new Worker(URL.createObjectURL(new Blob([${inWorker(`${sends};try{importScripts('http://${L}/import')}catch{}`)}])));quiet(()=>new Worker('http://${L}/worker'));quiet(()=>import('http://${L}/module'))`,
  ),
  P31: script(`new SharedWorker(URL.createObjectURL(new Blob([${inWorker(sends)}])))`),
  P32: script(`quiet(()=>navigator.serviceWorker.register('/service-worker.js'))`),
  P33: script(`
    const pc=new RTCPeerConnection({iceServers:[{urls:['stun:127.0.0.1:3478','stun:10.1.2.3:3478','stun:169.254.169.254:3478','stun:[::1]:3478']},
      {urls:['turn:127.0.0.1:9001?transport=tcp','turn:10.1.2.3:8080?transport=tcp','turn:127.0.0.1:3478?transport=udp','turns:127.0.0.1:443?transport=tcp'],username:'u',credential:'p'}]});
    pc.createDataChannel('x');pc.createOffer().then(o=>pc.setLocalDescription(o));
    pc.onicecandidate=({candidate})=>{};
    const two=new RTCPeerConnection();two.createDataChannel('y');two.createOffer().then(async o=>{await two.setLocalDescription(o);
      await two.setRemoteDescription({type:'answer',sdp:o.sdp.replace('actpass','active')});
      for(const ip of ['127.0.0.1','10.1.2.3','169.254.169.254'])await two.addIceCandidate({candidate:'candidate:1 1 udp 2122260223 '+ip+' 3478 typ host',sdpMid:'0'})}).catch(()=>{})`),
  P35: script(
    `new RTCPeerConnection({iceServers:[{urls:['stun:leak-stun.example:3478','turn:leak-turn.example:3478'],username:'u',credential:'p'}]}).createDataChannel('x');const pc=new RTCPeerConnection({iceServers:[{urls:'turn:leak-4.example:3478?transport=tcp',username:'u',credential:'p'}],iceTransportPolicy:'relay'});pc.createDataChannel('x');pc.createOffer().then(o=>pc.setLocalDescription(o))`,
  ),
  'P36 WebTransport': script(
    each((host) => `quiet(()=>new WebTransport('https://${host.replace(/:\d+$/, '')}:9003/wt').ready);`),
  ),
  P37: script(
    `const ask=(n)=>quiet(()=>fetch('https://127.0.0.2/alt-svc?'+n,{mode:'no-cors'}));for(const n of [0,200,400,600,800])setTimeout(()=>ask(n),n)`,
  ),
  P39: `<a id=a download href="http://${L}/download">x</a><iframe src="/attachment"></iframe>${script(`document.getElementById('a').click()`)}`,
  'P40 schemes': each(
    (host) =>
      `<iframe src="ftp://${host}/"></iframe><iframe src="view-source:http://${host}/"></iframe><img src="ws://${host}/"><iframe src="blob:http://${host}/x"></iframe><iframe src="filesystem:http://${host}/x"></iframe>`,
  ),
  P42: `<iframe src="/password"></iframe><img src="/password"><img src="/proxy-password"><img src="http://u:p@${L}/">${script(each((host) => `quiet(()=>{const x=new XMLHttpRequest();x.open('GET','http://${host}/',true,'u','p');x.send()});`))}`,
  'P43 hosts': `<img src="http://site.example@${L}/"><img src="http://${L}\\@site.example/"><img src="http://site.example:80@127.0.0.1:9001/"><img src="//${L}/"><img src="/\\${L}/">`,
  P44: each((host) => `<iframe src="http://${host}/"></iframe>`),
  P45: script(each((host) => `quiet(()=>fetch('http://${host}/cors',{method:'DELETE',headers:{authorization:'x'}}));`)),
  P46: script(
    `for(const t of ['https://127.0.0.1/','https://127.0.0.1:9001/','https://10.1.2.3:8443/','https://localhost:22/','https://inside.example:6379/','wss://inside.example/'])quiet(()=>t.startsWith('wss')?new WebSocket(t):fetch(t,{mode:'no-cors'}))`,
  ),
  P48: script(
    each(
      (host) =>
        `quiet(()=>fetch('http://${host}/lna',{mode:'no-cors',targetAddressSpace:'loopback'}));quiet(()=>fetch('http://${host}/pna',{mode:'no-cors',targetAddressSpace:'local'}));`,
    ),
  ),
  'O1 fetch later and cookies': script(
    each(
      (host) =>
        `quiet(()=>fetchLater('http://${host}/later',{activateAfter:0}));quiet(()=>navigator.credentials.get({federated:{providers:['http://${host}']}}));quiet(()=>navigator.credentials.get({identity:{providers:[{configURL:'https://${host}/fed.json',clientId:'1'}]}}));`,
    ),
  ),
  'O2 worklets': script(
    each(
      (host) =>
        `quiet(()=>CSS.paintWorklet.addModule('http://${host}/paint'));quiet(()=>new AudioContext().audioWorklet.addModule('http://${host}/audio'));quiet(()=>sharedStorage.worklet.addModule('http://${host}/shared'));`,
    ),
  ),
  'O3 import maps': `<script type=importmap>{"imports":{"x":"http://${L}/mapped"}}</script><script type=module>import('x').catch(()=>{})</script><script type=module src="http://${M}/module"></script>`,
  'O4 web sockets in tunnels': script(
    `for(let i=0;i<20;i++)quiet(()=>new WebSocket('ws://rebind.example:9001/'+i));${each((host) => `quiet(()=>new WebSocketStream('ws://${host}/stream').opened);`)}`,
  ),
  'O5 direct sockets': script(
    `quiet(()=>new TCPSocket('127.0.0.1',9001).opened);quiet(()=>new UDPSocket({remoteAddress:'127.0.0.1',remotePort:3478}).opened);quiet(()=>navigator.usb.requestDevice({filters:[]}));quiet(()=>navigator.bluetooth.requestDevice({acceptAllDevices:true}))`,
  ),
  'O6 background': script(
    `quiet(async()=>{for(const old of await navigator.serviceWorker.getRegistrations())await old.unregister();const r=await navigator.serviceWorker.register('/service-worker.js?2');await navigator.serviceWorker.ready;quiet(()=>r.backgroundFetch.fetch('x',['http://${L}/background']));quiet(()=>r.sync.register('x'));quiet(()=>r.pushManager.subscribe({userVisibleOnly:true}))})`,
  ),
  'O7 payment and identity': `<link rel=payment-method-manifest href="http://${L}/pay">${script(`quiet(()=>new PaymentRequest([{supportedMethods:'http://${L}/pay'}],{total:{label:'x',amount:{currency:'EUR',value:'1'}}}).canMakePayment());quiet(()=>navigator.registerProtocolHandler('web+x','http://${L}/%s'))`)}`,
  'O8 fenced frames and portals': each(
    (host) =>
      `<fencedframe src="https://${host}/"></fencedframe><portal src="http://${host}/"></portal><webview src="http://${host}/"></webview><applet codebase="http://${host}/" code=x></applet><isindex action="http://${host}/">`,
  ),
  'O9 link headers': 'what it asks for is said in the headers of its answer',
};

/**
 * Pages that make no attempt even without the guard, with the reason. They are shown all the same, in case another
 * Chromium does.
 */
export const WITHOUT_ATTEMPT: Readonly<Record<string, string>> = {
  P20: 'Chromium shows no file to a page of the web',
  'P40 schemes': 'Chromium itself embeds none of them',
  'O5 direct sockets': 'for installed applications only; a page has no such name',
  'O8 fenced frames and portals': 'elements that Chromium no longer has, or fills from an auction only',
};
/** The same for the headless shell only; in full Chromium the canaries hear these. */
export const WITHOUT_ATTEMPT_IN_SHELL: Readonly<Record<string, string>> = {
  P12: 'it loads no icons, and manifests only when they are installed',
  P14: 'it follows no hints to connect',
  P15: 'it follows no hints to resolve',
  'O7 payment and identity': 'it has no payments',
};

/** The script of the site's service worker. */
export const SERVICE_WORKER = `self.addEventListener('install',()=>{${sends}});self.addEventListener('activate',()=>{${sends}});`;
