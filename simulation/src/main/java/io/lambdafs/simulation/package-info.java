/**
 * Building blocks of deterministic simulations: events ordered under one seed, processes with clocks, connections, and
 * the gateway with the real pool. Each simulation supplies the network, the gateway's front end and the instances.
 * Everything here is confined to the thread that runs the simulation.
 */
@NullMarked
package io.lambdafs.simulation;

import org.jspecify.annotations.NullMarked;
