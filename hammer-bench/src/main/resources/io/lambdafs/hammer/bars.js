(function () {
  'use strict';
  const all = JSON.parse(document.getElementById('data').textContent);
  const charts = [];
  const ROW = 24;
  const AXIS = 60;

  function drawAll() {
    charts.splice(0).forEach((chart) => chart.destroy());
    all.forEach((plot) => {
      document.getElementById(plot.id).parentNode.style.height = (plot.labels.length * ROW + AXIS) + 'px';
      charts.push(plots.bars(plot.id, plot.labels, plot.values, plots.theme().hues[0], plot.title));
    });
  }

  drawAll();
  plots.onTheme(drawAll);
})();
