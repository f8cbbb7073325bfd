/**
 * The hybrid transport of one client: sends attempts over TCP or HTTP, and elsewhere if they straggle or the platform
 * thrashes. Internal.
 */
@NullMarked
package io.lambdafs.client.transport;

import org.jspecify.annotations.NullMarked;
