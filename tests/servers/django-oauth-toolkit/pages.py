"""The library's own views at the documented addresses."""

import json
import threading

from django.contrib.auth.views import LoginView
from django.http import JsonResponse
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from oauth2_provider.views import AuthorizationView, TokenView

import api
from variants import is_


# The library deletes a code after it has issued the tokens: of several requests at once, each may get some.
_one_at_a_time = threading.Lock()


class Tokens(TokenView):
    def post(self, request, *args, **kwargs):
        # repair: exchange.requires-redirect-uri
        # For an application with one address, the library takes that one.
        is_exchange = request.POST.get('grant_type') == 'authorization_code'
        if is_exchange and not request.POST.get('redirect_uri') and not is_('as-is'):
            return JsonResponse({'error': 'invalid_request'}, status=400)
        # end of repair
        # repair: exchange.code-single-use-parallel
        if not is_('as-is'):
            with _one_at_a_time:
                return self.answered(request)
        # end of repair
        return self.answered(request)

    def answered(self, request):
        answer = super().post(request)
        # repair: exchange.token-type-bearer refresh.token-type-bearer
        if answer.status_code == 200 and not is_('as-is', 'token-type-caps'):
            answer.content = json.dumps({**json.loads(answer.content), 'token_type': 'bearer'})
        # end of repair
        return answer


urlpatterns = [
    path('log-in', LoginView.as_view(template_name='log-in.html')),
    path('oauth/authorize', AuthorizationView.as_view()),
    path('oauth/token', csrf_exempt(Tokens.as_view())),
    path('v2/projects/<str:project>/assigned_users', api.users),
    path('v2/projects/<str:project>/assigned_users/<str:person>', api.user),
]
