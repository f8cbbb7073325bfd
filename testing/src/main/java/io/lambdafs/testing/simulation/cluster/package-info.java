/** A cluster in one thread and virtual time: instances, their store, coordinator and mailboxes, clients, and a network that delays and loses. */
@NullMarked
package io.lambdafs.testing.simulation.cluster;

import org.jspecify.annotations.NullMarked;
