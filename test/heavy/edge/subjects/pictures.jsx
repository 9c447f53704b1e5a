// Elements as people write them for @vercel/og, satori and takumi.

import { Fragment, memo } from 'react';

const Logo = ({ size }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2">
    <title>Logo</title>
    <circle cx="12" cy="12" r="10" />
    <path d="M8 12l3 3 5-6" />
  </svg>
);

const Badge = ({ children }) => (
  <div style={{ display: 'flex', background: '#ea580c', borderRadius: 999, padding: '8px 24px', fontSize: 24 }}>
    {children}
  </div>
);

/** Satori alone leaves such components out. */
const Line = memo(({ children }) => <div style={{ display: 'flex', fontSize: 40, padding: 12 }}>{children}</div>);

/** The card that everybody begins with. */
const hello = (
  <div
    style={{
      fontSize: 60,
      color: 'black',
      background: 'white',
      width: '100%',
      height: '100%',
      padding: '50px 200px',
      textAlign: 'center',
      justifyContent: 'center',
      alignItems: 'center',
      display: 'flex',
    }}
  >
    Hello world, from the edge!
  </div>
);

const article = (
  <div
    style={{
      height: '100%',
      width: '100%',
      display: 'flex',
      flexDirection: 'column',
      justifyContent: 'space-between',
      padding: 64,
      color: '#f8fafc',
      backgroundColor: '#0b1224',
      backgroundImage: 'radial-gradient(circle at 25px 25px, #475569 2%, transparent 0%)',
      backgroundSize: '100px 100px',
    }}
  >
    <div style={{ display: 'flex', alignItems: 'center', gap: 24 }}>
      <Logo size={64} />
      <Badge>Volume 12</Badge>
    </div>
    <div style={{ display: 'flex', flexDirection: 'column' }}>
      <div style={{ fontSize: 72, fontWeight: 700, letterSpacing: '-0.02em', lineHeight: 1.1 }}>
        Why the press room prints better with warm plates
      </div>
      <div style={{ fontSize: 28, marginTop: 20, color: '#94a3b8', lineClamp: 2 }}>
        Lay every sheet out once, keep the forms warm, and throw away what no one reads. The press has not stopped
        since, and nobody misses the noise of the old one, which went on through the night and half of the morning as
        well.
      </div>
    </div>
    {false}
    {null}
  </div>
);

const tailwind = (
  <div tw="flex flex-col w-full h-full items-center justify-center bg-white">
    <div tw="bg-gray-50 flex w-full">
      <div tw="flex flex-row w-full py-12 px-8 items-center justify-between">
        <h2 tw="flex flex-col text-4xl font-bold tracking-tight text-gray-900 text-left m-0">
          <span>Ready to dive in?</span>
          <span tw="text-indigo-600">Start your free trial today.</span>
        </h2>
        <div tw="flex">
          <div tw="flex rounded-md shadow">
            <span tw="flex items-center justify-center rounded-md bg-indigo-600 px-5 py-3 text-base font-medium text-white">
              Get started
            </span>
          </div>
        </div>
      </div>
    </div>
  </div>
);

const pictures = ({ photo, drawing }) => (
  <div style={{ display: 'flex', width: '100%', height: '100%', background: '#e2e8f0', padding: 30, gap: 30 }}>
    <img alt="" src={photo} width={240} height={240} style={{ borderRadius: 120, objectFit: 'cover' }} />
    <div
      style={{
        display: 'flex',
        width: 240,
        height: 240,
        borderRadius: 24,
        border: '6px solid #0f172a',
        backgroundImage: `url(${photo})`,
        backgroundSize: '100% 100%',
      }}
    />
    <img alt="" src={drawing} width={160} height={160} style={{ transform: 'rotate(12deg)', opacity: 0.8 }} />
  </div>
);

const effects = (
  <div
    style={{
      display: 'flex',
      width: '100%',
      height: '100%',
      background: 'linear-gradient(120deg, #fde68a, #f472b6 60%, #818cf8)',
    }}
  >
    <div
      style={{
        position: 'absolute',
        top: 40,
        left: 40,
        width: 280,
        height: 160,
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        background: 'white',
        borderRadius: 24,
        boxShadow: '0 20px 40px rgba(15, 23, 42, 0.35)',
        fontSize: 36,
        fontWeight: 700,
      }}
    >
      Shadow
    </div>
    <div
      style={{
        position: 'absolute',
        top: 60,
        left: 380,
        display: 'flex',
        fontSize: 64,
        fontWeight: 700,
        color: 'white',
        textShadow: '0 4px 10px rgba(0, 0, 0, 0.5)',
      }}
    >
      Letters
    </div>
    <div
      style={{
        position: 'absolute',
        top: 180,
        left: 380,
        display: 'flex',
        fontSize: 72,
        fontWeight: 700,
        backgroundImage: 'linear-gradient(90deg, #1d4ed8, #be123c)',
        backgroundClip: 'text',
        color: 'transparent',
      }}
    >
      Gradient
    </div>
  </div>
);

const list = (
  <>
    {['One', 'Two', 'Three'].map((word, index) => (
      <Fragment key={word}>
        <Line>
          {index + 1}. {word}
        </Line>
      </Fragment>
    ))}
  </>
);

const emoji = (
  <div style={{ display: 'flex', width: '100%', height: '100%', fontSize: 80, background: '#fff' }}>Hi 🚀 there</div>
);

/** By name; `files` are addresses of pictures. */
export const picturesWith = (files) => ({ hello, article, tailwind, pictures: pictures(files), effects, list, emoji });
