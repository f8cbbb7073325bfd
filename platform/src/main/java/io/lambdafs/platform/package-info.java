/**
 * What λFS's deployers and its embedded function gateway share: how a function is described to a FaaS platform, in Apache
 * OpenWhisk's terms, and the key that its API asks for. One description serves the local gateway and a real OpenWhisk.
 */
@NullMarked
package io.lambdafs.platform;

import org.jspecify.annotations.NullMarked;
