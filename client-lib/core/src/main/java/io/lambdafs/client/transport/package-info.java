/**
 * The hybrid transport of one client: carries an attempt over TCP or by HTTP, and sends it elsewhere where it straggles or the platform
 * thrashes. Internal.
 */
@NullMarked
package io.lambdafs.client.transport;

import org.jspecify.annotations.NullMarked;
