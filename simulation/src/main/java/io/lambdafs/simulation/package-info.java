/**
 * Simulated time and what lives in it: the order of events under one seed, processes with clocks, connections, and the gateway with the
 * real pool. What is between the processes, in front of the gateway and in the instances is the simulation's own to say. Everything here
 * is confined to the thread that runs the simulation.
 */
@NullMarked
package io.lambdafs.simulation;

import org.jspecify.annotations.NullMarked;
