(function () {
  'use strict';
  const personas = JSON.parse(document.getElementById('data').textContent).personas;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const charts = [];

  // Okabe and Ito's colours, told apart by colour-blind readers too; lighter twins on dark paper.
  const light = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#b8860b'];
  const night = ['#58a6e0', '#f0884a', '#3fc79a', '#e39cc3', '#e3c04b'];

  function draw(id, title, value, more) {
    const css = getComputedStyle(document.documentElement);
    const read = (name) => css.getPropertyValue(name).trim();
    const hues = dark.matches ? night : light;
    const axis = (text, extra) => Object.assign({
      title: { display: true, text: text, color: read('--soft') },
      ticks: { color: read('--soft'), maxRotation: 0 }, grid: { color: read('--line') }, border: { color: read('--line') }
    }, extra);
    const line = (label, series, get, colour, dash) => ({
      label: label, data: series.map((p) => ({ x: p.t, y: get(p) })), borderColor: colour, backgroundColor: colour,
      borderWidth: 2, pointRadius: 0, pointHitRadius: 8, tension: 0, borderDash: dash
    });
    const sets = personas.map((p, i) => line(p.name, p.series, value, hues[i % hues.length], []));
    if (more.offered && personas.length > 0) {
      sets.unshift(line('offered', personas[0].series, (p) => p.offered, read('--soft'), [6, 4]));
    }
    charts.push(new Chart(document.getElementById(id), {
      type: 'line',
      data: { datasets: sets },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
        interaction: { mode: 'index', intersect: false },
        scales: {
          x: axis('time (s)', { type: 'linear', min: 0 }),
          y: axis(title, more.log ? { type: 'logarithmic' } : { beginAtZero: true })
        },
        plugins: { legend: { labels: { color: read('--ink'), boxWidth: 14, boxHeight: 2 } } }
      }
    }));
  }

  function drawCurve(id, kind) {
    const css = getComputedStyle(document.documentElement);
    const read = (name) => css.getPropertyValue(name).trim();
    const hues = dark.matches ? night : light;
    const axis = (text, extra) => Object.assign({
      title: { display: true, text: text, color: read('--soft') },
      ticks: { color: read('--soft'), maxRotation: 0 }, grid: { color: read('--line') }, border: { color: read('--line') }
    }, extra);
    charts.push(new Chart(document.getElementById(id), {
      type: 'line',
      data: {
        datasets: personas.map((p, i) => ({
          label: p.name,
          data: p.curves[kind].map((point) => ({ x: Math.max(0.01, point.micros / 1000), y: point.percentile })),
          borderColor: hues[i % hues.length], backgroundColor: hues[i % hues.length], borderWidth: 2, pointRadius: 0
        }))
      },
      options: {
        animation: false, responsive: true, maintainAspectRatio: false, parsing: false, normalized: true,
        scales: { x: axis('milliseconds', { type: 'logarithmic' }), y: axis('percent', { min: 0, max: 100 }) },
        plugins: { legend: { labels: { color: read('--ink'), boxWidth: 14, boxHeight: 2 } } }
      }
    }));
  }

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    draw('throughput', 'operations per second', (p) => p.done, { offered: true });
    draw('latency', 'milliseconds', (p) => Math.max(0.001, p.p99 / 1000), { log: true });
    draw('instances', 'instances', (p) => p.instances, {});
    draw('cost', 'USD', (p) => p.usd, {});
    drawCurve('reads', 'read');
    drawCurve('creates', 'create');
  }

  drawAll();
  dark.addEventListener('change', drawAll);
})();
