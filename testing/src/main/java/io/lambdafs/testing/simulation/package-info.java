/**
 * A deterministic simulation of the whole system: the real client, NameNode, coherence, coordinator-client and pool
 * code on simulated time, processes, network, store and coordinator, driven by one seed. {@link
 * io.lambdafs.testing.simulation.Simulation} runs one seed; {@link io.lambdafs.testing.history} checks its clients'
 * answers. Everything here is confined to the thread that runs the simulation.
 */
@NullMarked
package io.lambdafs.testing.simulation;

import org.jspecify.annotations.NullMarked;
