(function () {
  'use strict';
  const personas = JSON.parse(document.getElementById('data').textContent).personas;
  const charts = [];

  const hue = (t, i) => t.hues[i % t.hues.length];
  const points = (series, get) => series.map((p) => ({ x: p.t, y: get(p) }));

  function draw(id, title, value, more) {
    const t = plots.theme();
    const sets = personas.map((p, i) => plots.line(p.name, points(p.series, value), hue(t, i)));
    if (more.offered && personas.length > 0) {
      sets.unshift(plots.line('offered', points(personas[0].series, (p) => p.offered), t.soft, { borderDash: [6, 4] }));
    }
    charts.push(plots.chart(id, sets, {
      x: plots.axis(t, 'time (s)', { type: 'linear', min: 0 }),
      y: plots.axis(t, title, more.log ? { type: 'logarithmic' } : { beginAtZero: true })
    }));
  }

  function drawCurve(id, kind) {
    const t = plots.theme();
    charts.push(plots.chart(id, personas.map((p, i) => plots.line(
      p.name,
      p.curves[kind].map((point) => ({ x: Math.max(0.01, point.micros / 1000), y: point.percentile })),
      hue(t, i)
    )), {
      x: plots.axis(t, 'milliseconds', { type: 'logarithmic' }),
      y: plots.axis(t, 'percent', { min: 0, max: 100 })
    }));
  }

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    draw('throughput', 'operations per second', (p) => p.done, { offered: true });
    draw('latency', 'milliseconds', (p) => Math.max(0.001, p.p99 / 1000), { log: true });
    draw('instances', 'instances', (p) => p.instances, {});
    draw('cost', 'USD', (p) => p.usd, {});
    draw('value', 'operations a second per USD', (p) => p.opsPerUsd || null, { log: true });
    drawCurve('reads', 'read');
    drawCurve('creates', 'create');
  }

  drawAll();
  plots.onTheme(drawAll);
})();
