/**
 * Sharing of connections between a user's processes on a machine. The entry point is {@link
 * io.lambdafs.client.sharing.Sharing}, which accesses this process's connections through {@link
 * io.lambdafs.client.sharing.OwnConnections}. Internal.
 */
@NullMarked
package io.lambdafs.client.sharing;

import org.jspecify.annotations.NullMarked;
