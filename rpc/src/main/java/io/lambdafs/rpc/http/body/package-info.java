/** Bodies of any length: of requests, taken while they come, and of replies, made while they are sent. */
@NullMarked
package io.lambdafs.rpc.http.body;

import org.jspecify.annotations.NullMarked;
