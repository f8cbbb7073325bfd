/**
 * Calls of functions through the platform's gateway, and the gate that bounds them for each deployment. Internal, but for {@link
 * io.lambdafs.client.http.Invoker}, which stands for other ways to call a function.
 */
@NullMarked
package io.lambdafs.client.http;

import org.jspecify.annotations.NullMarked;
