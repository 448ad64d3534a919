vcl 4.1;

# Varnish in front of the site, purged by tag (docs/operations.md#caches-in-front). Needs the package varnish-modules.
#
#   varnishd -a :80 -f /etc/varnish/default.vcl -s malloc,1g
#
# The site: TRUST_PROXY=1, or one more for each proxy before Varnish. The boards worker: CDN_PURGE_URL=http://varnish/purge

import xkey;

backend default {
  .host = "127.0.0.1";
  .port = "3000";
  .probe = {
    .url = "/readyz?degraded";
    .interval = 2s;
    .timeout = 2s;
    .window = 3;
    .threshold = 2;
  }
}

# The addresses of the boards worker.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  if (req.url == "/purge") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    if (req.method != "POST" || !req.http.Surrogate-Key) {
      return (synth(400));
    }
    xkey.purge(req.http.Surrogate-Key);
    return (synth(204));
  }
  # Server-Sent Events have no end.
  if (req.url ~ "^/api/stream") {
    return (pipe);
  }
}

sub vcl_pipe {
  # Varnish handles the next request on the connection separately.
  set bereq.http.Connection = "close";
}

sub vcl_backend_response {
  set beresp.http.xkey = beresp.http.Surrogate-Key;
  if (beresp.http.Cache-Control ~ "s-maxage=1$") {
    # It may be outdated: no more than a second, though its Age may be longer.
    set beresp.ttl = 1s;
    set beresp.grace = 0s;
  } else if (beresp.http.Cache-Control !~ "stale-while-revalidate") {
    set beresp.grace = 0s;
  }
}

sub vcl_deliver {
  unset resp.http.xkey;
  unset resp.http.Surrogate-Key;
  unset resp.http.Cache-Tag;
}
