// Lets the page be an app: its own files are there even while the server is not, so that the window opens and waits for it. The
// server is always asked first, so that an update shows at once; games and messages never pass through here.

const CACHE = "jigo";
const LIVE = ["/api/", "/ws", "/analysis"];

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== location.origin || LIVE.some((path) => pathname.startsWith(path))) return;
  event.respondWith(fresh(event.request));
});

async function fresh(request) {
  const cache = await caches.open(CACHE);
  try {
    const answer = await fetch(request);
    if (answer.ok) cache.put(request, answer.clone());
    return answer;
  } catch (error) {
    const known = await cache.match(request, { ignoreSearch: true });
    if (known) return known;
    throw error;
  }
}
