/**
 * The part common to λFS's deployers and its embedded function gateway: the specification of a function for a FaaS
 * platform, in Apache OpenWhisk's terms, and the key of its API. One specification serves the local gateway and a real
 * OpenWhisk.
 */
@NullMarked
package io.lambdafs.platform;

import org.jspecify.annotations.NullMarked;
