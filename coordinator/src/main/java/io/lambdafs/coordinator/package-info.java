/**
 * Who is alive, who may answer, and how invalidations travel (the paper's §3.5, its pluggable Coordinator). The
 * {@link io.lambdafs.coordinator.Coordinator} SPI keeps membership and leases; an
 * {@link io.lambdafs.coordinator.InvalidationChannel} carries INV and ACK; an
 * {@link io.lambdafs.coordinator.InstanceSession} is one instance's life under one epoch after another: join, renew, leave, be
 * fenced, come back empty. Here are the interfaces and what they exchange; {@code session} and one package per service implement them.
 */
@NullMarked
package io.lambdafs.coordinator;

import org.jspecify.annotations.NullMarked;
