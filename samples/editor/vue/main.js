import { createApp } from 'vue';
import '../shared/page.css';
import App from './app.vue';

createApp(App).mount(document.body);
