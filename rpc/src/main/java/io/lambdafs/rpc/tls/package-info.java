/**
 * TLS from PEM files, for connections between services, and between services and users. Services prove themselves to each other by
 * certificates of the cluster's CA; users know the CA only, and say who they are by token.
 */
@NullMarked
package io.lambdafs.rpc.tls;

import org.jspecify.annotations.NullMarked;
