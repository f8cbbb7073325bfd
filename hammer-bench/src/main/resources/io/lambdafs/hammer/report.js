(function () {
  'use strict';
  const data = JSON.parse(document.getElementById('data').textContent);
  const series = data.series;
  const charts = [];

  const points = (value) => series.map((p) => ({ x: p.t, y: value(p) }));

  function time(t) {
    const last = series.length ? series[series.length - 1].t : 1;
    return plots.axis(t, 'time (s)', { type: 'linear', min: 0, max: Math.ceil(last) });
  }

  const draw = (id, datasets, scales, label) => charts.push(plots.chart(id, datasets, scales, label));

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    const t = plots.theme();
    const hue = t.hues;
    const line = plots.line;

    draw('throughput', [
      line('offered', points((p) => p.offered), hue[1], { borderDash: [6, 4] }),
      line('done', points((p) => p.done), hue[0])
    ], { x: time(t), y: plots.zero(t, 'operations per second') },
    plots.withUnit((v) => Math.round(v).toLocaleString('en') + ' ops/s'));

    const deployments = series.reduce((n, p) => Math.max(n, p.instances.length), 0);
    const stacks = [];
    for (let d = 0; d < deployments; d++) {
      stacks.push(plots.stacked('deployment ' + d, points((p) => p.instances[d] || 0), hue[d % hue.length], d === 0));
    }
    draw('instances', stacks,
      { x: time(t), y: plots.zero(t, 'instances', { stacked: true, suggestedMax: 2, ticks: { precision: 0 } }) },
      plots.withUnit((v, i) => String(i.raw.y)));

    const some = (value) => series.filter((p) => p.p99 > 0).map((p) => ({ x: p.t, y: value(p) }));
    draw('latency', [
      line('median', some((p) => p.p50), hue[0]),
      line('99th percentile', some((p) => p.p99), hue[1])
    ], { x: time(t), y: plots.logMicros(t) }, plots.withUnit(plots.micros));

    const names = Object.keys(data.curves);
    draw('distribution', names.map((name, i) => line(name,
      data.curves[name].map((p) => ({ x: p[0], y: p[1] })), name === 'all' ? t.ink : hue[i % hue.length],
      name === 'all' ? { borderWidth: 3 } : {})), {
      x: plots.axis(t, 'percentile', {
        type: 'logarithmic', min: 1,
        ticks: { callback: (v) => (plots.isDecade(v) ? +(100 - 100 / v).toFixed(6) + ' %' : '') }
      }),
      y: plots.logMicros(t)
    }, {
      title: (items) => (items.length ? +(100 - 100 / items[0].parsed.x).toPrecision(6) + ' %' : ''),
      label: (i) => i.dataset.label + ': ' + plots.micros(i.parsed.y)
    });

    draw('cost', [
      line('serverful fleet', points((p) => p.t * data.fleetUsdPerSecond), hue[1], { borderDash: [6, 4] }),
      line('λFS while provisioned', points((p) => p.simplified), hue[2]),
      line('λFS pay-per-use', points((p) => p.cost), hue[0])
    ], { x: time(t), y: plots.zero(t, 'cumulative cost (USD)') }, plots.withUnit((v) => '$' + v.toFixed(6)));

    draw('hits', [
      line('cache hit rate', points((p) => p.hits * 100), hue[2], { yAxisID: 'y' }),
      line('waiting', points((p) => p.waiting), hue[3], { yAxisID: 'waiting', borderWidth: 1.5 })
    ], {
      x: time(t),
      y: plots.axis(t, 'cache hits (%)', { min: 0, max: 100 }),
      waiting: plots.zero(t, 'operations waiting', { position: 'right', grid: { drawOnChartArea: false } })
    }, plots.withUnit((v, i) => (i.dataset.yAxisID === 'y' ? v.toFixed(1) + ' %' : Math.round(v).toLocaleString('en'))));
  }

  drawAll();
  plots.onTheme(drawAll);
})();
