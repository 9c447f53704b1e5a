// E-mails and pages of the web.

import type { PageList } from './page-list.ts';

export const EMAILS: PageList = {
  width: 800,
  pages: {
    'leemunroe/responsive-html-email-template': { 'email.html': 'same', 'email-inlined.html': 'same' },
    'ActiveCampaign/postmark-templates': {
      'templates/basic/welcome/content.html': 'same',
      'templates/basic-full/invoice/content.html': 'same',
      'templates-inlined/basic/receipt/content.html': 'same',
      'templates-inlined/plain/password-reset/content.html': 'same',
    },
    'mailgun/transactional-email-templates': {
      'templates/action.html': 'same',
      'templates/alert.html': 'same',
      'templates/inlined/billing.html': 'same',
    },
    'konsav/email-templates': { 'explorational.html': 'same', 'general.html': 'same', 'promotional.html': 'same' },
    'mailchimp/email-blueprints': {
      'modular-template-patterns/modular-template-patterns.html': 'same',
      'responsive-templates/base_boxed_3column_query.html': 'same',
      'templates/2col-1-2-leftsidebar.html': 'same',
      'templates/fancy-1-2-3.html': 'same',
      'templates/gallery-1-4-1.html': 'same',
      'templates/simple-postcard.html': 'same',
      'templates/transactional_tabular.html': 'same',
    },
    'sendwithus/templates': {
      'templates/airmail/invoice.html': 'same',
      'templates/cerberus/hybrid.html': 'same',
      'templates/cerberus/responsive.html': 'same',
      'templates/cleave/progress.html': 'same',
      'templates/go/survey.html': 'same',
      'templates/goldstar/birthday.html': 'same',
      'templates/mantra/receipt.html': 'same',
      'templates/meow/digest-left.html': 'same',
      'templates/narrative/welcome.html': 'same',
      'templates/neopolitan/upsell.html': 'same',
      'templates/oxygen/invoice.html': 'same',
      'templates/skyline/ping.html': 'same',
      'templates/sunday/reignite.html': 'same',
      'templates/zen-flat/confirm.html': 'same',
    },
    'sendgrid/email-templates': {
      'dynamic-templates/newsletter/news_feed.html':
        'different: a picture that is not there takes no place, which in percent has the place of an empty square there',
      'merriweather-templates/digest.html': 'same',
      'paste-templates/receipt.html': 'same',
    },
    'charlesmudy/responsive-html-email-template': { 'index.html': 'same' },
    'rodriguezcommaj/accessible-emails': {
      'newsletter-template.html': 'same',
      'product-feature-template.html': 'same',
    },
    'InterNations/antwort': { 'three-cols-images/build.html': 'same' },
    'derekpunsalan/responsive-email': { 'simple.html': 'same' },
    'g13nn/Email-Framework': {
      'boilerplate.html': 'same',
      'grids/hybrid/hybrid-grid-master.html': 'same',
      'components/heros/background-image-text-overlay.html': 'same',
    },
    'ColorlibHQ/email-templates': {
      '1/index.html': 'same',
      '7/index.html': 'same',
      '10/index.html': 'same',
      '15/index.html': 'same',
      '21/index.html': 'same',
      '26/index.html': 'same',
    },
    'edwardtufte/tufte-css': {
      'index.html':
        'different: its own fonts, which are not loaded there from another origin; lines below links of several backgrounds, named',
    },

    'andybrewer/mvp': { 'index.html': 'same', 'mvp.html': 'same' },
    'dhg/Skeleton': { 'index.html': 'same' },
    'StartBootstrap/startbootstrap-clean-blog': { 'dist/post.html': 'same', 'dist/contact.html': 'same' },
    'StartBootstrap/startbootstrap-landing-page': { 'dist/index.html': 'same' },
    'StartBootstrap/startbootstrap-sb-admin': {
      'dist/index.html': 'same',
      'dist/login.html': 'same',
      'dist/404.html': 'same',
      'dist/tables.html': 'same',
    },
    'cbracco/html5-test-page': { 'index.html': 'same' },
    'dbox/html5-kitchen-sink': {
      'kitchen-sink.html': 'different: fields of dates and times, and lists of several rows, which are named',
    },
    'pure-css/pure': {
      'site/static/layouts/blog/index.html': 'same',
      'site/static/layouts/pricing/index.html': 'same',
      'site/static/layouts/email/index.html': 'same',
    },
    'picocss/examples': { 'v1-company/index.html': 'same' },
    'h5bp/html5-boilerplate': { 'dist/404.html': 'same' },
  },
};
