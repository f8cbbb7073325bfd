/**
 * Membership, leases and invalidation between instances (the paper's §3.5, its pluggable Coordinator). The {@link
 * io.lambdafs.coordinator.Coordinator} SPI keeps membership and leases; an {@link
 * io.lambdafs.coordinator.InvalidationChannel} carries INV and ACK; an {@link io.lambdafs.coordinator.InstanceSession}
 * is one instance's membership through successive epochs: join, renew, leave, be fenced, rejoin empty. This package has
 * the interfaces and the values they exchange; {@code session} and one package per service implement them.
 */
@NullMarked
package io.lambdafs.coordinator;

import org.jspecify.annotations.NullMarked;
