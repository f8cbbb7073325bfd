/**
 * TCP connections: the server that instances dial back to, registration secrets, and the connections by deployment.
 * Internal.
 */
@NullMarked
package io.lambdafs.client.tcp;

import org.jspecify.annotations.NullMarked;
