/**
 * Tracing of requests from client through gateway and instance to the store, by the OpenTelemetry API. Off unless the
 * process's environment names a collector; when off, nothing of it is loaded, allocated or sent.
 */
@NullMarked
package io.lambdafs.rpc.tracing;

import org.jspecify.annotations.NullMarked;
