/**
 * Function calls through the platform's gateway, and the gate that limits them per deployment. Internal, except {@link
 * io.lambdafs.client.http.Invoker}, the SPI for other ways to call functions.
 */
@NullMarked
package io.lambdafs.client.http;

import org.jspecify.annotations.NullMarked;
