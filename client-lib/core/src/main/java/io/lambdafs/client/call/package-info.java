/** The life cycle of requests: slots that make writes repeatable, attempts, retries. Internal. */
@NullMarked
package io.lambdafs.client.call;

import org.jspecify.annotations.NullMarked;
