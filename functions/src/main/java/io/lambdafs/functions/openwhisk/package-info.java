/**
 * The function's entry on Apache OpenWhisk, and on the local gateway, which speaks the same protocol: one process per instance,
 * {@code POST /init} once and then {@code POST /run}, several at once, with the TCP servers of the calling client in the body.
 * Here alone in the functions may anything block.
 */
@NullMarked
package io.lambdafs.functions.openwhisk;

import org.jspecify.annotations.NullMarked;
