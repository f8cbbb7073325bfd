/**
 * The {@code direct} channel: instances send INVs and ACKs to each other over the {@link io.lambdafs.rpc.Transport}, where the
 * platform lets them reach each other. Both ends prove that they are parts of the same cluster before anything is said.
 */
@NullMarked
package io.lambdafs.coordinator.direct;

import org.jspecify.annotations.NullMarked;
