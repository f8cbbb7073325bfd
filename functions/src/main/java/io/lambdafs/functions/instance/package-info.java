/**
 * An instance as a process, on every platform: its configuration, its connections, and the rehearsal that warms it up
 * before its first call. {@link io.lambdafs.functions.instance.ActionMain} is the entry for platforms that speak
 * OpenWhisk's protocol, {@link io.lambdafs.functions.instance.InvokedFunction} that for a platform that calls a handler,
 * as AWS Lambda does. This package is the only one in the functions where code may block.
 */
@NullMarked
package io.lambdafs.functions.instance;

import org.jspecify.annotations.NullMarked;
