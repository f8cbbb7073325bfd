/**
 * The {@code direct} channel: instances send INVs and ACKs to each other over the {@link io.lambdafs.rpc.Transport},
 * where instances can reach each other. Both ends first prove that they belong to the same cluster.
 */
@NullMarked
package io.lambdafs.coordinator.direct;

import org.jspecify.annotations.NullMarked;
