(function () {
  'use strict';
  const rows = JSON.parse(document.getElementById('data').textContent).rows;
  const charts = [];
  const distinct = (get) => [...new Set(rows.map(get))];

  /** The place of a plot. */
  function place(op) {
    const figure = document.createElement('figure');
    const plot = document.createElement('div');
    const canvas = document.createElement('canvas');
    figure.innerHTML = '<figcaption></figcaption>';
    figure.firstChild.textContent = op + ': operations per second, by clients';
    plot.className = 'plot';
    canvas.id = 'plot-' + op;
    canvas.setAttribute('role', 'img');
    canvas.setAttribute('aria-label', op + ' per second by the number of clients');
    plot.append(canvas);
    figure.append(plot);
    document.getElementById('charts').append(figure);
    return canvas.id;
  }

  function draw(op) {
    const t = plots.theme();
    const setups = distinct((row) => row.setup);
    charts.push(plots.chart(place(op), setups.map((setup, i) => plots.line(
      setup,
      rows.filter((row) => row.op === op && row.setup === setup).map((row) => ({ x: row.clients, y: row.opsPerSecond })),
      t.hues[i % t.hues.length],
      { pointRadius: 3, borderDash: i < t.hues.length ? [] : [6, 4] }
    )), {
      x: plots.axis(t, 'clients', { type: 'logarithmic' }),
      y: plots.axis(t, 'operations per second', { beginAtZero: true })
    }));
  }

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    document.getElementById('charts').replaceChildren();
    distinct((row) => row.op).forEach(draw);
  }

  drawAll();
  plots.onTheme(drawAll);
})();
