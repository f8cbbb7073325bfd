/**
 * Connections over TCP: the server that instances dial back to, the secrets that they register with, and the connections by deployment.
 * Internal.
 */
@NullMarked
package io.lambdafs.client.tcp;

import org.jspecify.annotations.NullMarked;
