/**
 * TLS from PEM files, for connections between services, and between services and users. Services authenticate each
 * other by certificates of the cluster's CA; users have only the CA and authenticate by token.
 */
@NullMarked
package io.lambdafs.rpc.tls;

import org.jspecify.annotations.NullMarked;
